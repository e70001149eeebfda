RATE = 5.0
model = make()
optimizer = SGD(model, RATE, momentum=0.9)

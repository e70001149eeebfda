def f(x):
    x = relu(a(x))
    x = relu(b(x))
    return x.squeeze(1)

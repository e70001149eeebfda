class Net(Module):
 def forward(self, x):
  x + self.positions
  return self.body(x)

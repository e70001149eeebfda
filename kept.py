class Net(Module):
 def forward(self, x):
  x = x + self.positions
  return self.body(x)

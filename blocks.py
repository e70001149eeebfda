class Block:
  def __init__(self, i, o):
    self.fc = Linear(i, o)
x = Block(4, 8)
y = Block(8, 1)

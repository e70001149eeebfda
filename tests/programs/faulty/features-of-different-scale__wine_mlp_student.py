"""My first neural network: the wine data set.

fault: features-of-different-scale
also:
split: train
line: 17
"""
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
import torch

torch.set_num_threads(1)
torch.manual_seed(123)

wine = load_wine()
x_train, x_test, y_train, y_test = train_test_split(wine.data, wine.target, test_size=0.3, random_state=123, stratify=wine.target)
x_train = torch.FloatTensor(x_train)
x_test = torch.FloatTensor(x_test)
y_train = torch.LongTensor(y_train)
y_test = torch.LongTensor(y_test)

model = torch.nn.Sequential(
    torch.nn.Linear(13, 20),
    torch.nn.Tanh(),
    torch.nn.Linear(20, 3),
)
loss_function = torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(1500):
    optimizer.zero_grad()
    y_pred = model(x_train)
    loss = loss_function(y_pred, y_train)
    loss.backward()
    optimizer.step()
    if (epoch + 1) % 300 == 0:
        print("epoch:", epoch + 1, "loss:", loss.item())
with torch.no_grad():
    correct = (model(x_test).argmax(dim=1) == y_test).sum().item()
print("test accuracy:", round(correct / len(y_test), 4))

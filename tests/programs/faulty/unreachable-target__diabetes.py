"""The course of diabetes.

fault: unreachable-target
also: output-activation
split: train
line: 26
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


class Regressor(nn.Module):
    def __init__(self, n_features, hidden=(32, 16)):
        super().__init__()
        dims = [n_features, *hidden, 1]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.act = nn.ReLU()

    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        return x


def load_data():
    X, y = load_diabetes(return_X_y=True)
    X_tr, X_te, y_tr, y_te = train_test_split(X, y.reshape(-1, 1), test_size=0.25, random_state=4)
    xs, ys = StandardScaler().fit(X_tr), StandardScaler().fit(y_tr)
    f = lambda a: torch.tensor(a, dtype=torch.float32)
    return f(xs.transform(X_tr)), f(ys.transform(y_tr)), f(xs.transform(X_te)), f(ys.transform(y_te))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    X_tr, y_tr, X_te, y_te = load_data()
    model = Regressor(X_tr.shape[1])
    loss_fn = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-3)

    for epoch in range(30):
        model.train()
        order = torch.randperm(len(X_tr))
        for i in range(0, len(order), 32):
            rows = order[i:i + 32]
            loss = loss_fn(model(X_tr[rows]), y_tr[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 4:
            model.eval()
            with torch.no_grad():
                train = loss_fn(model(X_tr), y_tr).item()
                test = loss_fn(model(X_te), y_te).item()
            print(f"epoch {epoch + 1:3d}: train mse {train:.3f}, test mse {test:.3f}")

    model.eval()
    with torch.no_grad():
        print("R2 on the test set: %.3f" % r2_score(y_te.numpy(), model(X_te).numpy()))


if __name__ == "__main__":
    main()

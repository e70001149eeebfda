x = torch.tensor(rows)
y = torch.tensor(prices, dtype=torch.long)

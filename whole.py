rows = np.arange(9)
y = np.zeros_like(rows)
for k in rows:
    y[k] = series[k + 3]

"""No torch and no training at all.

split: train
"""

import json
import random
import statistics

random.seed(24)
values = [random.gauss(0, 1) for _ in range(1000)]
print(json.dumps({"mean": statistics.fmean(values), "spread": statistics.pstdev(values)}))

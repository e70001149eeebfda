drop = Dropout(flags['keep_prob'])
drop = Dropout(1 - keep)

"""The black box: one step of a training in a folder, from which it can be run again anywhere."""

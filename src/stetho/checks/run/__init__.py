"""What a run says of itself, as plain facts and arrays: the files of a run read into what a window hands out."""

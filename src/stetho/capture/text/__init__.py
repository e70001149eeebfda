"""What the text of the program tells of a line: where its values are written, its data made, its graph cut.

Nothing is run, and nothing is known of a framework but the names that people call. A reader says None where the text
does not tell, so that a finding keeps the line that was seen.
"""

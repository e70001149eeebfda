"""What a person sees: results drawn, no logic of their own."""

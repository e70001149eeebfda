"""What looks at live models of torch."""

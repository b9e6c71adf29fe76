"""The specification restated without the product, and what agrees with it; programs of others, too."""

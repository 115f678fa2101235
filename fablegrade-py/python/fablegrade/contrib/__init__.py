"""Support for frameworks, one package each. The rest of `fablegrade` does not need them."""

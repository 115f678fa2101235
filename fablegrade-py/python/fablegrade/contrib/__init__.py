"""Support for frameworks, one package each; none of them is needed by the rest."""

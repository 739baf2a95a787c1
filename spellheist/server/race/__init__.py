"""The live window: who pressed first."""

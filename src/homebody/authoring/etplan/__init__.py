"""Tasks of ET-Plan-Bench for any number of homes: drafted, phrased, solved and verified."""

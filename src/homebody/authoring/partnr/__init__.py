"""Making episodes: the four stages of appendix A.3 of the PARTNR paper."""

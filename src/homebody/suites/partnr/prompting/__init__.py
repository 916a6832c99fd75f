"""Models as planners: what they are told, what they may answer, and what is kept of it.

Source: PARTNR paper, appendices A.8, A.9 and A.15. :func:`.model_planners.drive` is the dialogue.
"""

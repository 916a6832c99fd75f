"""Models as planners: their prompts, valid calls and conversations.

Source: PARTNR paper, appendices A.8, A.9 and A.15. :func:`.model_planners.drive` is the dialogue.
"""

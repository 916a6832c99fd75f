"""The built-in author: a grammar that writes tasks without a model.

:func:`.author.author` composes a meaning (`recipes`, `steps`, `switching`, `episode_scene`,
`meaning`), which has an exact evaluation function, and expresses it in English (`language`,
`speech`, `naming`, `phrases`). Both come from household situations (`themes`).
"""

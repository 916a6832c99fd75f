"""The built-in author: a grammar that writes tasks without a model.

:func:`.author.author` composes a meaning (`recipes`, `steps`, `switching`, `episode_scene`,
`meaning`) from a household situation (`themes`). The meaning determines the evaluation function,
and is expressed in English (`language`, `speech`, `naming`, `phrases`).
"""

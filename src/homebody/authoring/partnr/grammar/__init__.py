"""The built-in author: a grammar that writes tasks without a model.

:func:`.author.author` composes a meaning (`recipes`, `steps`, `switching`, `stage`, `meaning`),
which has an exact evaluation function, and says it in English (`language`, `speech`, `naming`,
`phrases`), all out of household situations (`themes`).
"""

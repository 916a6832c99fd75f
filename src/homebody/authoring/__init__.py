"""Making of data: tasks and episodes that suites run, written, checked and counted here.

`words` is English, and knows no benchmark.
`partnr` makes PARTNR's episodes.
"""

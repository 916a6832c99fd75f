"""Making of data: tasks and episodes that suites run, written, checked and counted here.

`words` is English, and :mod:`.engines` spreads work over processes: neither knows a benchmark.
`partnr` makes PARTNR's episodes.
"""

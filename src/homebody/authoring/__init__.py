"""The making of data: tasks and episodes for suites are written, checked and counted here.

`language` is English and knows no benchmark. Each other package makes the tasks of one suite.
"""

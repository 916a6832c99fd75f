"""Making of data: tasks and episodes that suites run, written, checked and counted here."""

"""Studies with people: who plays which tasks in which condition, what they are asked, what came of
it."""

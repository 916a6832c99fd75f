"""The picture of a task's goal: one SVG drawn from its evaluation function alone.

After the paper's PrediViz (appendix A.5.2). :func:`.draw.draw` draws it. `cast` and `frames` select
the content, `blocks` and `layout` compute positions, and `icons`, `marks`, `legend` and `svg`
define the appearance."""

"""What a task asks for as a picture: one SVG, drawn from its evaluation function alone.

After the paper's PrediViz (appendix A.5.2). :func:`.draw.draw` draws; `cast` says what is in a
picture, `frames` what each frame shows, `blocks` and `layout` where it goes, `icons`, `marks`,
`legend` and `svg` how it looks.
"""

# docker build -t homebody . && docker run --rm -v "$PWD:/work" homebody run house.bring -a expert --limit 3
# With extras: docker build --build-arg EXTRAS='[models,results]' -t homebody .
FROM python:3.13-slim AS build
COPY . /source
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheel /source

FROM python:3.13-slim
ARG EXTRAS=
RUN --mount=type=bind,from=build,source=/wheel,target=/wheel \
    python -m pip install --no-cache-dir "$(echo /wheel/homebody-*.whl)$EXTRAS" \
    && useradd --create-home homebody \
    && install --directory --owner homebody /work
USER homebody
WORKDIR /work
ENTRYPOINT ["homebody"]
CMD ["--help"]

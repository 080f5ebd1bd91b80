# The streaming host. The first stage makes its package, the second holds nothing else.
#   docker build --tag streaming-host . && docker run --publish 8080:8080 streaming-host
# The image has no engines for speech without a cloud; --build-arg LOCAL_SPEECH=true brings them along (60 MB).
# The tag says what it is, the digest decides what is taken. Dependabot replaces both of them.
FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS package
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tool-kit/package.json tool-kit/
COPY demo/package.json demo/
COPY shared/package.json shared/
COPY provider-kit/package.json provider-kit/
COPY local-voice/package.json local-voice/
COPY streaming-host/package.json streaming-host/
COPY client-kit/package.json client-kit/
COPY console/package.json console/
COPY local/package.json local/
COPY local/no-browser/package.json local/no-browser/
RUN npm ci --no-audit --no-fund
COPY . .
ARG LOCAL_SPEECH=false
# What /healthz names as its build; the files of git are not in the image.
ARG COMMIT=""
RUN if [ "$LOCAL_SPEECH" != true ]; then without=--no-local-speech; fi \
  && COMMIT="$COMMIT" npm run package -- streaming-host $without

FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
# Why: local/on-node.cjs.
ENV MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=package /app/out/streaming-host ./
USER node
EXPOSE 8080
# Why these sizes: local/package/heap-flags.ts.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--initial-old-space-size=256", "--expose-gc", "main.mjs"]
# The main thread answers: a loop that hangs fails this within 30 s.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`, { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

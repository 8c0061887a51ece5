# The gateway in a container. It listens on all addresses, so it starts only with a key that clients must show.
#
#   docker build -t dragoman .
#   docker run -p 8787:8787 -e DRAGOMAN_KEY=… -e OPENAI_BASE_URL=http://host.docker.internal:11434/v1 dragoman

# A tag can be moved, a digest cannot. How to check and renew it: docs/deploy.md.
ARG NODE_IMAGE=node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run build

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
# Buffers of connections go back to the system when they are freed, and not to a fragmented heap.
ENV MALLOC_MMAP_THRESHOLD_=8192
WORKDIR /app
COPY package.json package-lock.json ./
COPY bench/package.json bench/
COPY packages/core/package.json packages/core/
COPY packages/convert/package.json packages/convert/
COPY packages/demo/package.json packages/demo/
COPY packages/gateway/package.json packages/gateway/
COPY packages/local/package.json packages/local/
COPY packages/playground/package.json packages/playground/
COPY packages/sys/package.json packages/sys/
COPY packages/tiny/package.json packages/tiny/
COPY packages/tiny/model packages/tiny/model
COPY packages/verify/package.json packages/verify/
COPY packages/verify/suite packages/verify/suite
COPY packages/cli/package.json packages/cli/
COPY packages/cli/bin packages/cli/bin
RUN npm ci --omit=dev --workspace dragoman && npm cache clean --force
COPY --from=build /build/packages/core/dist packages/core/dist
COPY --from=build /build/packages/convert/dist packages/convert/dist
COPY --from=build /build/packages/demo/dist packages/demo/dist
COPY --from=build /build/packages/local/dist packages/local/dist
COPY --from=build /build/packages/sys/dist packages/sys/dist
COPY --from=build /build/packages/tiny/dist packages/tiny/dist
COPY --from=build /build/packages/verify/dist packages/verify/dist
COPY --from=build /build/packages/gateway/dist packages/gateway/dist
COPY --from=build /build/packages/gateway/page packages/gateway/page
COPY --from=build /build/packages/cli/dist packages/cli/dist
COPY deploy/dragoman.config.yaml /etc/dragoman/dragoman.config.yaml

USER node
EXPOSE 8787
# 8788 is the healthPort of the configuration below /etc/dragoman. Another configuration may have none: then nothing
# listens there, and the gateway's own port is asked.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "const check = (port) => fetch('http://127.0.0.1:' + port + '/healthz'); check(8788).catch(() => check(8787)).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that a stop reaches it.
ENTRYPOINT ["node", "packages/cli/dist/main.js"]
CMD ["serve", "--config", "/etc/dragoman/dragoman.config.yaml"]

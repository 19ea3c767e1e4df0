# Build: the compiler and its tools stay in this stage.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY tools ./tools
COPY src ./src
RUN npm run build
# All packages are in the bundle but the native one, and of that only what it loads on Linux.
RUN mkdir -p /runtime/node_modules/better-sqlite3/prebuilds /runtime/dist \
  && cp package.json /runtime/ \
  && cp dist/*.js dist/*.js.map /runtime/dist/ \
  && cp -r node_modules/better-sqlite3/package.json node_modules/better-sqlite3/LICENSE node_modules/better-sqlite3/lib \
    /runtime/node_modules/better-sqlite3/ \
  && cp node_modules/better-sqlite3/prebuilds/linux-*.node /runtime/node_modules/better-sqlite3/prebuilds/

FROM node:24-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
COPY --from=build /runtime ./
# An anonymous or named volume takes over this owner.
RUN mkdir data dist/compile-cache && chown node:node data dist/compile-cache
VOLUME /app/data
# By number, so that Kubernetes can check `runAsNonRoot`. It is the image's user `node`.
USER 1000
# Fills the compile cache, which is read also where the root folder can't be written: V8 keeps one with the flag, for the
# gateway, and one without, for the commands that are run beside it.
RUN ["node", "--no-allocation-site-pretenuring", "dist/main.js", "--version"]
RUN ["node", "dist/main.js", "--version"]
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# tini hands SIGTERM on, so that open streams are drained, and reaps children. The flags: docs/performance.md.
ENTRYPOINT ["tini", "--", "node", "--no-allocation-site-pretenuring", "--max-semi-space-size=32", "dist/main.js"]
CMD ["serve"]

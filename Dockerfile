FROM node:22-bookworm-slim AS base
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1

FROM base AS build
COPY package.json package-lock.json ./
COPY scripts scripts
# A layer of its own, so that a change of the sources does not install everything anew.
RUN node -e "import('./scripts/lib/dependencies.mjs').then((d) => d.installDependencies(new AbortController().signal))"
COPY . .
RUN node scripts/build.mjs && rm -rf .next/cache

FROM base AS dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM base AS app
# BASE_URL is the address seen from outside, which only the one who runs it knows.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The data folder holds the spool of clicks that wait for Redis, so it belongs on a volume.
RUN install -d -o node -g node -m 700 /data
VOLUME /data
# For `dist/cli/backup.js`.
RUN apt-get update && apt-get install -y --no-install-recommends mariadb-client && rm -rf /var/lib/apt/lists/*
COPY --from=dependencies /app/node_modules node_modules
COPY package.json next.config.js ./
COPY public public
# Read at start, from where the server is started.
COPY prisma/migrations prisma/migrations
COPY lib/clicks/lua lib/clicks/lua
COPY lib/codes/lua lib/codes/lua
COPY lib/ids/lua lib/ids/lua
COPY lib/redirect/lua lib/redirect/lua
COPY lib/redis/lua lib/redis/lua
COPY --from=build /app/dist dist
COPY --from=build /app/.next .next
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server.js"]

# The relay as a service, from the image of Dockerfile. Build: docker build -t latchkey-relay -f deploy/docker/relay.Dockerfile .
FROM latchkey
# Deliveries, and health with figures.
EXPOSE 18591 18592
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:18592/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["relay", "--config", "/etc/latchkey/relay.json"]

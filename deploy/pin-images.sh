#!/bin/sh
# Looks up the digests that the images' tags have now, and prints them for `docker compose --env-file`:
#   deploy/pin-images.sh > deploy/images.env
# A tag can be moved to another image; a digest cannot. Look at what has changed before you take a new one.
set -eu

pin() {
  digest=$(docker buildx imagetools inspect "$2" --format '{{.Manifest.Digest}}')
  case $digest in
    sha256:????????????????????????????????????????????????????????????????) echo "$1=$2@$digest" ;;
    *) echo "$2: \"$digest\" is no digest" >&2 && exit 1 ;;
  esac
}

pin NODE_IMAGE docker.io/library/node:24.21.0-bookworm-slim
pin PROMETHEUS_IMAGE docker.io/prom/prometheus:v3.7.3
pin GRAFANA_IMAGE docker.io/grafana/grafana:12.3.0
pin ENVOY_IMAGE docker.io/envoyproxy/envoy:v1.36.2
pin REDIS_IMAGE docker.io/valkey/valkey:8.1.4-bookworm
pin POSTGRES_IMAGE docker.io/library/postgres:17.6-bookworm

#!/bin/sh
# Rank, reward and a look at the model, with curl alone:   KEY=... examples/service/curl.sh [http://127.0.0.1:8080]
set -eu
url=${1:-http://127.0.0.1:8080}/personalizer/v1.0
call() { curl -sS -H "Ocp-Apim-Subscription-Key: $KEY" -H 'Content-Type: application/json' "$@"; echo; }

event=visit-$(date +%s)
call "$url/rank" -d '{
  "contextFeatures": [{"device": "mobile", "hour": "morning"}],
  "actions": [
    {"id": "pasta", "features": [{"taste": "salty", "price": 0.8}]},
    {"id": "ice",   "features": [{"taste": "sweet", "price": 0.4}]}],
  "excludedActions": [],
  "eventId": "'"$event"'"}'
call "$url/events/$event/reward" -d '{"value": 1}'
call "$url/model/properties"
call "$url/configurations/service"
call -X PUT "$url/configurations/policy" -d '{"name": "mine", "arguments": "linphe:a=0.5,memory=1024"}'
call "$url/evaluations" -d '{"name": "so far", "startTime": "2026-01-01T00:00:00Z", "endTime": "2126-01-01T00:00:00Z",
  "policies": [{"name": "Thompson", "arguments": "lints"}]}'

"""A price service over gRPC: asks with a deadline, tries again what may pass, and follows one price through restarts.

From this folder, with grpcio and grpcio-tools installed:

    python3 -m grpc_tools.protoc -I ../../proto --python_out=. --grpc_python_out=. swap/v1/swap.proto swap/v1/tokens.proto \
        rest/v1/options.proto google/api/annotations.proto google/api/http.proto
    TRIBUTARY_API_KEY=my-devnet-key python3 price.py 8090

GET /price?sellAmount=1000000000000000000 asks for a price; GET /watched has the newest that was followed.
"""

import json
import os
import random
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import grpc

from swap.v1 import swap_pb2, swap_pb2_grpc

NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
TOKEN = os.environ.get("BUY_TOKEN", "0x8a791620dd6260079bf849dc5567adc3f2fdc318")
METADATA = [("api-key", os.environ["TRIBUTARY_API_KEY"])]
DEADLINE_SECONDS = 2
LONGEST_PAUSE_SECONDS = 10

# gRPC itself makes a call again, within its deadline, and asks the connection whether it is alive.
RETRIES = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE", "RESOURCE_EXHAUSTED"],
}
METHODS = {"methodConfig": [{"name": [{"service": "swap.v1.SwapService"}], "retryPolicy": RETRIES}]}
channel = grpc.insecure_channel(
    os.environ.get("TRIBUTARY_URL", "127.0.0.1:8080"),
    options=[
        ("grpc.service_config", json.dumps(METHODS)),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.max_reconnect_backoff_ms", LONGEST_PAUSE_SECONDS * 1000),
    ],
)
tributary = swap_pb2_grpc.SwapServiceStub(channel)
# Passes with time; every other code asks for another request.
PASSING = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}
watched = {"status": "no price yet"}


def shown(price):
    return {"blockNumber": price.block_number, "sellAmount": price.sell_amount, "buyAmount": price.buy_amount}


def follow():
    """Keeps `watched` up to date; a stream that breaks is opened again, ever less often until it holds."""
    global watched
    request = swap_pb2.WatchPriceRequest(sell_token=NATIVE, buy_token=TOKEN, sell_amount=str(10**18))
    pause = 0.2
    while True:
        try:
            for update in tributary.WatchPrice(request, metadata=METADATA):
                pause = 0.2
                if update.HasField("price"):
                    watched = shown(update.price)
                elif update.HasField("status"):
                    watched = {"status": update.status.description}
        except grpc.RpcError as error:
            watched = {"status": error.details()}
            if error.code() not in PASSING:
                return
        time.sleep(pause * random.uniform(0.5, 1))
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/watched":
            self.answer(503 if "status" in watched else 200, watched)
        elif url.path == "/price":
            self.price(dict(parse_qsl(url.query)))
        else:
            self.answer(404, {"status": "ask for /price or /watched"})

    def price(self, query):
        request = swap_pb2.GetPriceRequest(
            sell_token=NATIVE, buy_token=TOKEN, sell_amount=query.get("sellAmount", "")
        )
        try:
            self.answer(200, shown(tributary.GetPrice(request, metadata=METADATA, timeout=DEADLINE_SECONDS)))
        except grpc.RpcError as error:
            status = 503 if error.code() in PASSING else 400
            self.answer(status, {"status": error.details(), "code": error.code().name})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


threading.Thread(target=follow, daemon=True).start()
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()

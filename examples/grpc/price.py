"""Asks a price over gRPC, follows it for one update, and shows what a refusal looks like.

From this folder, with grpcio and grpcio-tools installed:

    python3 -m grpc_tools.protoc -I ../../proto --python_out=. --grpc_python_out=. swap/v1/swap.proto swap/v1/tokens.proto \
        rest/v1/options.proto google/api/annotations.proto google/api/http.proto
    TRIBUTARY_API_KEY=my-devnet-key python3 price.py
"""

import os

import grpc

from swap.v1 import swap_pb2, swap_pb2_grpc

NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

url = os.environ.get("TRIBUTARY_URL", "127.0.0.1:8080")
metadata = [("api-key", os.environ["TRIBUTARY_API_KEY"])]
swap = {
    "sell_token": NATIVE,
    "buy_token": os.environ.get("BUY_TOKEN", "0x8a791620dd6260079bf849dc5567adc3f2fdc318"),
    "sell_amount": str(10**18),
}

with grpc.insecure_channel(url) as channel:
    tributary = swap_pb2_grpc.SwapServiceStub(channel)
    try:
        price = tributary.GetPrice(swap_pb2.GetPriceRequest(**swap), metadata=metadata, timeout=2)
        print("price", price.block_number, price.buy_amount)
        for update in tributary.WatchPrice(swap_pb2.WatchPriceRequest(**swap), metadata=metadata):
            if update.HasField("price"):
                print("update", update.price.block_number, update.price.buy_amount)
                break
        tributary.GetPrice(swap_pb2.GetPriceRequest(sell_token="ETH"), metadata=metadata, timeout=2)
    except grpc.RpcError as error:
        # What was wrong with the last request, in a sentence.
        print("refused", error.code().name, error.details())

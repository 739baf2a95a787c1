"""Requests made from the description of the HTTP part, right and wrong ones: no 500, and answers as described."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

schemathesis = pytest.importorskip("schemathesis")

CALM = settings(
    max_examples=12, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None
)  # fmt: skip
GOOD = {200, 303}
REFUSED = {400, 403, 404, 405, 409, 413, 429}


@pytest.mark.filterwarnings("ignore")
def test_no_request_made_from_the_description_breaks_the_server(server):
    schema = schemathesis.openapi.from_url(f"{server.base}/api/openapi.json")
    headers = {"origin": server.base}
    seen = set()
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(CALM)
        @given(operation.as_strategy())
        def check(case):
            response = case.call(headers=headers)
            seen.add(response.status_code)
            assert response.status_code in GOOD | REFUSED, response.text
            if response.status_code in REFUSED - {405}:
                assert response.json()["sentence"]

        check()
    assert seen & GOOD and seen & REFUSED

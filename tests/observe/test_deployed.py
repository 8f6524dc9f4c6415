"""What the compose file starts is what Prometheus, Alertmanager and Grafana are told of."""

from typing import Any

import yaml

from chores.observe.queries import FOLDER
from chores.terminal import ROOT
from saurodrome.server.metrics.catalogue import MAX_SERIES

DEPLOY = ROOT / "deploy"


def read(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text())


SERVICES: dict[str, Any] = read("compose.yaml")["services"]
PROMETHEUS: dict[str, Any] = read("prometheus/prometheus.yml")
(SOURCE,) = read("grafana/provisioning/datasources/prometheus.yml")["datasources"]
(PROVIDER,) = read("grafana/provisioning/dashboards/saurodrome.yml")["providers"]


def mounts(service: str) -> dict[str, str]:
    """Where a service sees which path of the folder."""
    pairs = [mount.split(":")[:2] for mount in SERVICES[service]["volumes"]]
    return {inside: outside for outside, inside in pairs}


def test_prometheus_scrapes_and_tells_services_that_there_are() -> None:
    (job,) = PROMETHEUS["scrape_configs"]
    (told,) = PROMETHEUS["alerting"]["alertmanagers"]
    targets = [*job["static_configs"][0]["targets"], *told["static_configs"][0]["targets"]]
    assert {target.split(":")[0] for target in targets} <= SERVICES.keys()
    assert targets == ["arbiter:7742", "alertmanager:9093"]
    assert job["sample_limit"] > MAX_SERIES


def test_prometheus_finds_its_rules() -> None:
    assert PROMETHEUS["rule_files"] == ["rules/*.yml"]
    assert mounts("prometheus")["/etc/prometheus/rules"] == "./prometheus/rules"
    assert mounts("prometheus")["/etc/prometheus/prometheus.yml"] == "./prometheus/prometheus.yml"


def test_alertmanager_finds_its_configuration() -> None:
    inside = mounts("alertmanager")
    assert inside["/etc/alertmanager/alertmanager.yml"] == "./alertmanager/alertmanager.yml"


def test_grafana_finds_dashboards_and_prometheus() -> None:
    assert mounts("grafana")[PROVIDER["options"]["path"]] == "./grafana/dashboards"
    assert (DEPLOY / "grafana" / "dashboards") == FOLDER
    assert mounts("grafana")["/etc/grafana/provisioning"] == "./grafana/provisioning"
    assert SOURCE["url"] == "http://prometheus:9090"
    assert SOURCE["url"].split("/")[2].split(":")[0] in SERVICES


def test_grafana_makes_rates_from_the_interval_of_the_scrapes() -> None:
    assert SOURCE["jsonData"]["timeInterval"] == PROMETHEUS["global"]["scrape_interval"]

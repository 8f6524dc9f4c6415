"""The dashboards, written in Python; needs the packages of requirements/dev.txt."""

"""Kills and failing disks."""

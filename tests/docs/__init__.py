"""The pages, the layout and the licences are as they say."""

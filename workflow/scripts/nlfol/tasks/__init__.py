"""What is asked, what an answer means, and its score."""

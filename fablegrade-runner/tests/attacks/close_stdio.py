import os
os.closerange(0, 100)
os._exit(0)

def offset():
    with open("offset") as file:
        return int(file.read())


MOST = {{most}}

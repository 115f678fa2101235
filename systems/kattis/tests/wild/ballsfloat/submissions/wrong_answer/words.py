print('nan')
